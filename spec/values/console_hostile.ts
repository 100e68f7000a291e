//# title = "logging never fails a program"
//# [expect]
//# logs = [["log", "{\"a\":[Getter]}"], ["log", "[unreadable]"], ["log", "{\"toString\":[Function: toString],\"toJSON\":[Function: toJSON]}"], ["log", "{}"]]
//# result = '"alive"'
console.log({ get a() { throw 1; } });
console.log(new Proxy({}, { ownKeys() { throw 1; } }));
console.log({ toString() { throw 1; }, toJSON() { throw 1; } });
console.log(Object.create(null));
return "alive";
