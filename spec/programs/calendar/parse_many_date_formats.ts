const inputs = ["2025-01-05", "2025-01-05T10:00", "2025-01-05T10:00:00+02:00", "Sun, 05 Jan 2025 10:00:00 GMT", "Jan 5, 2025", "5 January 2025 10:00 UTC", "2025/01/05", "01/05/2025 3:04 PM", "2025-13-01", "hello", "20250105"];
const messages = await tools.mail.messages.list({});
return {
  parsed: inputs.map((text) => {
    const date = new Date(text);
    return [text, isNaN(date.getTime()) ? "Invalid Date" : date.toISOString()];
  }),
  mails: messages.map((m) => new Date(m.date).toISOString()),
  invalid: [String(new Date(NaN)), new Date("nope").getTime(), JSON.stringify({ d: new Date(NaN) })],
};
