function Person(first, last) {
  if (!(this instanceof Person)) return new Person(first, last);
  this.first = first;
  this.last = last;
}
Person.prototype.fullName = function () { return this.first + ' ' + this.last; };
function Employee() { Person.apply(this, arguments); this.role = arguments[2] || 'none'; }
Employee.prototype = Object.create(Person.prototype, { constructor: { value: Employee } });
var people = (await tools.hr.employees.list({ department: 'Sales' })).map(function (e) {
  var parts = e.name.split(' ');
  return new Employee(parts[0], parts[1], e.title);
});
var bound = people[0].fullName.bind({ first: 'X', last: 'Y' });
return { names: people.map(function (p) { return p.fullName(); }), bound: bound(), args: (function () { return [].slice.call(arguments, 1); })(1, 2, 3), ctor: people[0].constructor.name, hoisted: typeof later, called: Person('A', 'B').fullName() };
function later() {}
