/** The most that a schedule can ask for; one is the least. `keepLast` counts backups. */
export const backupBounds = { everyHours: 168, keepLast: 1_000, keepDays: 3_650 } as const;
