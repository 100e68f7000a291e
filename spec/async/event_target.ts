//# title = "EventTarget calls its listeners in order"
//# [expect]
//# result = '[["once","x","x"],[false,true]]'
const target = new EventTarget();
const seen: string[] = [];
const once = () => seen.push("once");
target.addEventListener("x", once, { once: true });
target.addEventListener("x", (event) => { seen.push(event.type); event.preventDefault(); });
const results = [target.dispatchEvent(new Event("x", { cancelable: true })), target.dispatchEvent(new Event("x"))];
return [seen, results];
