import type { User } from "#contract/users.ts";

type ListedUser = User & { disabled: boolean; lastSeenAt: string | null };

const total = 300;
const hourMs = 3_600_000;
const firstNames = ["Mira", "Jonas", "Sofía", "Ada", "Maximiliana-Wilhelmine", "李", "Olúwaṣeun", "Bo"];
const lastNames = ["Okafor", "Lind", "Marques", "King Lovelace", "von der Schulenburg-Wolfsburg", "Ng"];

/** One page of 300 made-up users with short, long and foreign names, of every role, state and way to sign in. */
export const manyListedUsers = ({ limit, offset }: { limit: number; offset: number }) => {
  const count = Math.max(0, Math.min(limit, total - offset));
  const users = Array.from({ length: count }, (_, row) => listedUser(offset + row));
  return { users, pagination: { total, limit, offset } };
};

const listedUser = (number: number): ListedUser => ({
  id: `user-${number}`,
  name: `${pick(firstNames, number)} ${pick(lastNames, number)}`,
  email: `${number % 11 === 0 ? "a.very.long.local.part.of.an.address.that.goes.on." : "user"}${number}@northwind.example`,
  role: number % 23 === 0 ? "admin" : "user",
  googleId: number % 5 === 1 ? "g" : null,
  githubId: number % 7 === 1 ? "h" : null,
  emailVerified: true,
  createdAt: new Date(Date.UTC(2026, 0, 1) + number * hourMs * 20).toISOString(),
  disabled: number % 9 === 4,
  lastSeenAt: number % 4 === 0 ? null : new Date(Date.UTC(2026, 9, 1) + number * hourMs).toISOString(),
});

const pick = (list: readonly string[], number: number): string => list[number % list.length] ?? "";
