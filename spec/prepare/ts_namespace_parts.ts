//# title = "a part of a namespace knows what the parts before it have exported"
//# [expect]
//# result = '["a!","a!?",3,"made"]'
namespace Text {
  export const mark = "!";
  export function loud(text: string) { return text + mark; }
  export class Maker { make() { return "made"; } }
  export enum Level { Low = 1, High = 2 }
}
namespace Text {
  export const ask = (text: string) => loud(text) + "?";
  export const all = Level.Low | Level.High;
  export const made = new Maker().make();
}
return [Text.loud("a"), Text.ask("a"), Text.all, Text.made];
