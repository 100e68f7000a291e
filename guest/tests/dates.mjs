// The texts of dates, read inside of the built image and in Node.

import { check } from "./check.mjs";

const PARTS = ["1", "5", "12", "13", "31", "32", "0", "00", "24", "28", "99", "1999", "2024", "12024", "+", "-", "/", ":", ".", ",", " ", "  ",
  "T", "t", "Z", "z", "GMT", "UTC", "EST", "CEST", "Mar", "march", "Sept", "dec", "May", "Mon", "foo", "am", "PM", "p.m.", "10:00", "10:30:15",
  "10:00:00.123", "24:00", "23:60", "(x)", "(", ")", "+01:00", "-0500", "+5", "\u202f", "\u2212", "é", "th", "2024-02-30", "2024-13-01",
  "T10:00:00", "T10", "+002024-01-01", "-000001", "-000000", "3h"];

/** Texts that are made of parts of dates. */
function makeTexts(count) {
  let seed = 7;
  const below = (limit) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return Math.floor(seed / 65536) % limit;
  };
  return Array.from({ length: count }, () => {
    let text = "";
    for (let left = 1 + below(7); left > 0; left--) text += PARTS[below(PARTS.length)] + (below(3) ? "" : " ");
    return text;
  });
}

export function testDates(runInImage) {
  const zone = process.env.TZ;
  process.env.TZ = "UTC";
  for (let round = 0, texts = makeTexts(6000); round < 3; round++) {
    const some = texts.slice(round * 2000, (round + 1) * 2000);
    const ran = runInImage(`return JSON.parse(${JSON.stringify(JSON.stringify(some))}).map((text) => String(Date.parse(text)))`);
    check("the program that reads dates completes", ran.failure, undefined);
    for (const [at, text] of some.entries()) check(`the date ${JSON.stringify(text)}`, ran.value?.[at], String(Date.parse(text)));
  }
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
}
