function clamp(min: number, max: number) {
  return function <T>(_: ClassAccessorDecoratorTarget<T, number>, ctx: ClassAccessorDecoratorContext<T, number>): ClassAccessorDecoratorResult<T, number> {
    return {
      get() { return _.get.call(this); },
      set(value) { _.set.call(this, Math.min(max, Math.max(min, value))); },
      init: (value) => Math.min(max, Math.max(min, value)),
    };
  };
}
class Volume {
  @clamp(0, 100) accessor level = 150;
}
const v = new Volume();
const before = v.level;
v.level = -5;
return { before, after: v.level };
