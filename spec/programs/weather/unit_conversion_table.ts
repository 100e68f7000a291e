type Unit = "C" | "F" | "K";
const convert: Record<`${Unit}${Unit}`, (t: number) => number> = {
  CC: (t) => t, FF: (t) => t, KK: (t) => t,
  CF: (t) => t * 1.8 + 32, FC: (t) => (t - 32) / 1.8,
  CK: (t) => t + 273.15, KC: (t) => t - 273.15,
  FK: (t) => (t - 32) / 1.8 + 273.15, KF: (t) => (t - 273.15) * 1.8 + 32,
};
const { days } = await tools.weather.forecast({ city: "Reykjavík" });
const rows = days.map((d) => (["C", "F", "K"] as const).map((u) => convert[`C${u}`](d.min).toFixed(u === "K" ? 2 : 1)).join("\t"));
return ["C\tF\tK", ...rows].join("\n");
