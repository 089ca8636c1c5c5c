/** The same record with other values. */
export const mapValues = <Value, Made>(
  record: { [name: string]: Value },
  make: (value: Value, name: string) => Made,
): { [name: string]: Made } =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
