const ics = ["BEGIN:VCALENDAR", "METHOD:REPLY", "BEGIN:VEVENT", "UID:ev_2@isobox.example", "ATTENDEE;PARTSTAT=ACCEPTED;CN=\"Grace, Hopper\":mailto:", " grace@isobox.example", "DTSTART;TZID=Europe/Berlin:20250203T110000", "SUMMARY:Design\\, review\\nPart 2", "END:VEVENT", "END:VCALENDAR"].join("\r\n");
const unfolded = ics.replace(/\r\n[ \t]/g, "");
const properties = unfolded.split("\r\n").map((line) => {
  const [, name, params, value] = /^([A-Z-]+)((?:;[A-Z]+=(?:"[^"]*"|[^;:]*))*):(.*)$/.exec(line)!;
  return { name, params: Object.fromEntries([...params.matchAll(/;([A-Z]+)=("?)([^";]*)\2/g)].map((m) => [m[1], m[3]])), value: value.replace(/\\([,;\\])/g, "$1").replace(/\\n/gi, "\n") };
});
const of = (name: string) => properties.find((p) => p.name === name);
const event = (await tools.calendar.events.list({})).find((e) => of("UID")!.value.startsWith(e.id + "@"));
return { title: event.title, attendee: of("ATTENDEE"), summary: of("SUMMARY")!.value, zone: of("DTSTART")?.params.TZID, at: of("DTSTART")!.value.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*/, "$1-$2-$3 $4:$5") };
