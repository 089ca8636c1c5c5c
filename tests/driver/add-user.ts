import { createPerson, type Person } from "./person.ts";

/** The password of everyone made by {@link addUser}. */
export const userPassword = "a rather fine long password";

type NewUser = { name: string; email: string; role?: "user" | "admin" };

/** Has an admin, given by session cookie, make a user; resolves to that user, signed in from a place of their own. */
export const addUser = async (origin: string, adminCookie: string, user: NewUser): Promise<Person> => {
  const admin = createPerson(origin);
  admin.cookie = adminCookie;
  const made = await admin.call("POST", "/api/admin/users", {
    role: "user",
    ...user,
    password: userPassword,
  });
  if (made.status !== 201) throw new Error(`making ${user.email} was answered with ${made.status}`);
  return signInAs(origin, user.email);
};

/** Signs someone made by {@link addUser} in from another place. */
export const signInAs = async (
  origin: string,
  email: string,
  password: string = userPassword,
): Promise<Person> => {
  const person = createPerson(origin);
  const { status } = await person.call("POST", "/api/auth/login", { email, password });
  if (status !== 200) throw new Error(`signing ${email} in was answered with ${status}`);
  return person;
};
