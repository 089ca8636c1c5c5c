/** The same for whoever made it, and may change what others only read. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
