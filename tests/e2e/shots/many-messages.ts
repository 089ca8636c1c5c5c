const total = 60;
const hourMs = 3_600_000;
const writers = [
  "Mira Okafor",
  "Jonas Lind",
  "Sofía Marques",
  "Maximiliana-Wilhelmine von der Schulenburg",
  "李",
];
const subjects = ["General", "Sales", "Support"];
const texts = [
  "Hello,\n\nis there a price for schools?\n\nKind regards",
  "The mail with the link has not come yet. I have looked into the spam folder as well, and tried it with another address, which worked at once.",
  "Ça marche\u202f! Merci beaucoup.",
  `A word without any break: ${"long".repeat(60)}`,
];

/** One page of 60 made-up messages: short and long, read and unread, open and handled. */
export const manyMessages = ({ limit, offset }: { limit: number; offset: number }) => ({
  messages: Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, row) =>
    message(offset + row),
  ),
  pagination: { total, limit, offset },
  counts: { open: 45, unread: 12 },
});

/** The message that a row of {@link manyMessages} opens. */
export const message = (number: number) => {
  const createdAt = new Date(Date.UTC(2026, 9, 28, 9) - number * hourMs * 7).toISOString();
  return {
    id: `019a9f00-0000-7000-8000-${String(number).padStart(12, "0")}`,
    name: pick(writers, number),
    email: `writer${number}@northwind.example`,
    subject: pick(subjects, number),
    message: pick(texts, number),
    userId: number % 4 === 0 ? "019a9f00-0000-7000-8000-000000000001" : null,
    ip: "203.0.113.7",
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    createdAt,
    readAt: number % 5 === 0 ? null : createdAt,
    handledAt: number % 4 === 1 ? createdAt : null,
  };
};

const pick = (list: readonly string[], number: number): string => list[number % list.length] ?? "";
