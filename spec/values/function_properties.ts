//# title = "functions inherit no position in the source, and a class may have such names of its own"
//# [expect]
//# result = '[["apply","arguments","bind","call","caller","constructor","length","name","toString"],2,[1,"a",3]]'
class Cursor {
  static next() {
    (Cursor as any).lineNumber = 2;
    return (Cursor as any).lineNumber;
  }
}
const made: any = () => 0;
Object.assign(made, { lineNumber: 1, fileName: "a", columnNumber: 3 });
const functions = Object.getPrototypeOf(made);
return [Object.getOwnPropertyNames(functions).sort(), Cursor.next(), [made.lineNumber, made.fileName, made.columnNumber]];
