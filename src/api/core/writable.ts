/** The type of an object for its maker, who changes what others only read. */
export type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
