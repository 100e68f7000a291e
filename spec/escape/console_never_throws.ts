//# title = "logging what cannot be read does not fail the program"
//# [expect]
//# result = '1'
//# logs = [["log", "[unreadable]"], ["log", "{\"a\":[Getter]}"], ["warn", "[Circular]-free"]]
const trap = new Proxy({}, { get() { throw 1; }, ownKeys() { throw 2; }, getPrototypeOf() { throw 3; } });
console.log(trap);
console.log({ get a() { throw new Error("never read"); } });
console.warn("[Circular]-free");
return 1;
