// The functions that decorators need. The comments are left out and the lines are joined, so every statement ends with a sign.
// `$decorate` is replaced with a fresh name.
//
// `$decorate(decorators)` makes the state of a class from the decorators of the class itself. With a second argument, which
// defines the class and is given the state, it returns the class that the decorators made.
const $decorate = (decorators, define) => {
  const { create, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = ({}).constructor;
  const members = [], ofInstances = [], ofStatics = [], ofClass = [];
  let metadata, decorated;
  const callable = (value) => {
    if (typeof value !== "function") throw new TypeError("a decorator has to be a function, and to return a function or nothing");
    return value;
  };
  const propertyKey = (name) => typeof name === "symbol" ? name : `${name}`;
  const run = (target, initializers) => { for (const initializer of initializers) initializer.call(target); };
  const named = (value, name) => { defineProperty(value, "name", { value: name, configurable: true }); return value; };
  const call = (decorator, value, context, initializers) => {
    let isOpen = true;
    const addInitializer = (initializer) => {
      if (!isOpen) throw new TypeError("a decorator adds initializers while it decorates");
      initializers.push(callable(initializer));
    };
    const result = callable(decorator)(value, { ...context, metadata, addInitializer });
    isOpen = false;
    return result;
  };
// Takes the functions of a member from where the class has defined them.
  const functions = ({ kind, name, hidden }, home, reach) => {
    if (kind === "field") return {};
    if (!reach) return getOwnPropertyDescriptor(home, name);
    if (kind === "accessor") return { get: named(reach.own.get, `get ${name}`), set: named(reach.own.set, `set ${name}`) };
    const { value, get, set } = getOwnPropertyDescriptor(home, hidden);
    delete home[hidden];
    if (get) named(get, `get ${name}`);
    if (set) named(set, `set ${name}`);
    if (value) named(value, name);
    return { value, get, set };
  };
// Applies the decorators of one member.
  const apply = (type, member) => {
    const { kind, name, isStatic, isPrivate, list, marker } = member;
    const home = isStatic ? type : type.prototype;
    const reach = isPrivate ? type[marker]() : undefined;
    const made = functions(member, home, reach);
    const hasValue = kind === "field" || kind === "accessor";
    const part = kind === "getter" ? "get" : kind === "setter" ? "set" : "value";
    const { has, get, set } = reach ?? { has: (o) => name in o, get: (o) => o[name], set: (o, value) => { o[name] = value; } };
    const access = { has };
    if (kind !== "setter") access.get = get;
    if (hasValue || kind === "setter") access.set = set;
    const context = { kind, name, static: isStatic, private: isPrivate, access };
    const initializers = hasValue ? member.after : isStatic ? ofStatics : ofInstances;
    for (let index = list.length; index--;) {
      const value = kind === "accessor" ? { get: made.get, set: made.set } : made[part];
      const result = call(list[index], value, context, initializers);
      if (result === undefined) continue;
      if (kind === "field") {
        member.values.unshift(callable(result));
      } else if (kind === "accessor") {
        if (result === null || typeof result !== "object") throw new TypeError("a decorator of an accessor has to return an object or nothing");
        if (result.get !== undefined) made.get = callable(result.get);
        if (result.set !== undefined) made.set = callable(result.set);
        if (result.init !== undefined) member.values.unshift(callable(result.init));
      } else {
        made[part] = callable(result);
      }
    }
    if (reach) member.made = made;
    else if (kind !== "field") defineProperty(home, name, made);
  };
  const stored = (index, o) => {
    const { storage } = members[index];
    if (!storage.has(o)) throw new TypeError("the object has no such accessor");
    return storage;
  };
  const state = {
// Records a member with its decorators. Returns the name of the method that marks its place.
    member(list, kind, isStatic, isPrivate, name) {
      const marker = Symbol();
      members.push({ list, kind, isStatic, isPrivate, name: name === undefined ? name : propertyKey(name), marker, values: [], after: [], storage: new WeakMap() });
      return marker;
    },
// Records the computed name of the last member.
    name(name) { return members[members.length - 1].name = propertyKey(name); },
// Records the computed name of the last member, a static field that is defined later.
    late(name) { const member = members[members.length - 1]; member.name = propertyKey(name); return member.marker; },
// Returns the name under which the last member, a private method, is defined first.
    hidden() { return members[members.length - 1].hidden = Symbol(); },
    key(index) { return members[index].name; },
// Returns the name under which the value of the last member, a static one, is defined as a method first.
    initializer() { return members[members.length - 1].initializer = Symbol(); },
// Records a static block. Returns the name under which it is defined as a method first.
    block() { state.member([], "plain", true, false); return state.initializer(); },
// Returns the functions that became of a private member.
    made(index) { return members[index].made; },
// Applies all decorators. Returns the class that they made.
    apply(type, name, hasStaticPrivate) {
      const symbol = Symbol.metadata;
      if (symbol) metadata = create(getPrototypeOf(type)?.[symbol] ?? null);
      for (const isField of [false, true])
        for (const isStatic of [true, false])
          for (const member of members)
            if (member.kind !== "plain" && member.isStatic === isStatic && (member.kind === "field") === isField) apply(type, member);
      for (const member of members) {
        const { marker, initializer } = member;
        if (initializer) member.initialize = type[initializer];
        delete type[initializer];
        delete type[marker];
      }
      decorated = type;
      for (let index = decorators.length; index--;) {
        const result = call(decorators[index], decorated, { kind: "class", name: propertyKey(name) }, ofClass);
        if (result !== undefined) decorated = callable(result);
      }
      if (symbol) defineProperty(decorated, symbol, { value: metadata, writable: true, configurable: true });
      if (decorated !== type && hasStaticPrivate) throw new TypeError("the decorator of a class with static private fields cannot replace the class");
      run(decorated, ofStatics);
      return decorated;
    },
// Runs the initializers that the methods of an instance have got.
    instance(o) { run(o, ofInstances); },
// Computes the value of a field.
    value(index, o, value) {
      for (const initializer of members[index].values) value = initializer.call(o, value);
      return value;
    },
// Runs the initializers that come behind a field.
    after(index, o) { run(o, members[index].after); },
// Defines a static field of the class that the decorators made.
    field(index) {
      defineProperty(decorated, members[index].name, { value: members[index].initialize.call(decorated), writable: true, enumerable: true, configurable: true });
      run(decorated, members[index].after);
    },
// Stores the value of a static accessor of the class that the decorators made.
    accessor(index) {
      members[index].storage.set(decorated, members[index].initialize.call(decorated));
      run(decorated, members[index].after);
    },
    read(index, o) { return stored(index, o).get(o); },
    write(index, o, value) { stored(index, o).set(o, value); },
// Runs a static block.
    run(index) { members[index].initialize.call(decorated); },
// Runs the initializers of the class.
    end() { run(decorated, ofClass); },
  };
  if (!define) return state;
  define(state);
  return decorated;
};
