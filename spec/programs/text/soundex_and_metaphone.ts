const soundex = (name: string): string => {
  const codes: Record<string, string> = { B: "1", F: "1", P: "1", V: "1", C: "2", G: "2", J: "2", K: "2", Q: "2", S: "2", X: "2", Z: "2", D: "3", T: "3", L: "4", M: "5", N: "5", R: "6" };
  const letters = name.normalize("NFD").toUpperCase().replace(/[^A-Z]/g, "");
  let out = letters[0];
  let last = codes[letters[0]];
  for (const c of letters.slice(1)) {
    const code = codes[c];
    if (code && code !== last) out += code;
    if (!/[HW]/.test(c)) last = code;
    if (out.length === 4) break;
  }
  return out.padEnd(4, "0");
};
const contacts = await tools.crm.contacts.list({});
return { known: ["Robert", "Rupert", "Ashcraft", "Tymczak", "Pfister"].map(soundex), names: contacts.filter((c) => /^[A-Z]/.test(c.lastName)).map((c) => `${c.lastName}=${soundex(c.lastName)}`) };
