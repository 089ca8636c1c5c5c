import type { DashboardCard, OwnPage } from "#app/ui";

/** The pages of your features, such as `[...notePages]`. No version of Atrium changes this file. */
export const ownPages: readonly OwnPage[] = [];

/** The cards that they add to the dashboard. */
export const dashboardCards: readonly DashboardCard[] = [];
