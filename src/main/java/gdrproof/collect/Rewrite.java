package gdrproof.collect;

import gdrproof.facts.Fact;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The same statement about another node, or by another process's name: a copy of any fact record with one text component changed. */
final class Rewrite {
  private record Shape(RecordComponent[] components, Constructor<?> constructor) {}

  private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();

  private Rewrite() {}

  /** The fact with its `node` component replaced; the fact itself if it has none. */
  static Fact withNode(Fact fact, String node) {
    return with(fact, "node", node);
  }

  /** The fact with one text component replaced; the fact itself if it has none of that name. */
  static Fact with(Fact fact, String component, String text) {
    Shape shape = SHAPES.computeIfAbsent(fact.getClass(), Rewrite::shape);
    int index = index(shape, component);
    return index < 0 ? fact : copy(fact, shape, index, text);
  }

  /** A text component of a fact, or null if it has none of that name. */
  static String text(Fact fact, String component) {
    Shape shape = SHAPES.computeIfAbsent(fact.getClass(), Rewrite::shape);
    int index = index(shape, component);
    return index < 0 ? null : (String) value(fact, shape.components[index]);
  }

  private static Shape shape(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = components[i].getType();
    }
    try {
      return new Shape(components, type.getDeclaredConstructor(types));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " is no record", e);
    }
  }

  private static int index(Shape shape, String name) {
    for (int i = 0; i < shape.components.length; i++) {
      if (shape.components[i].getName().equals(name) && shape.components[i].getType() == String.class) {
        return i;
      }
    }
    return -1;
  }

  private static Fact copy(Fact fact, Shape shape, int index, String text) {
    Object[] values = new Object[shape.components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = i == index ? text : value(fact, shape.components[i]);
    }
    try {
      return (Fact) shape.constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy " + fact, e);
    }
  }

  private static Object value(Fact fact, RecordComponent component) {
    try {
      return component.getAccessor().invoke(fact);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("cannot read " + component + " of " + fact.getClass(), e.getCause());
    }
  }
}
