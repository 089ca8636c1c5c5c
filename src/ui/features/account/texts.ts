/** Words of the user's dashboard. */
export const dashboardTexts = {
  title: "Dashboard",
  lead: "Your account at a glance.",
  method: "Sign-in method",
  role: "Role",
  since: "Member since",
  roles: { admin: "Administrator", user: "User" },
  adminTitle: "You administer this server",
  adminText: "See its health, its users and what needs attention.",
  adminLink: "Open the admin area",
  avatar: "Avatar",
  logout: "Logout",
} as const;
