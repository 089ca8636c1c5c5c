/** Every page so far, and who must be signed in to see it. */
export const pageList = [
  { name: "home", path: "/", who: "visitor" },
  { name: "about", path: "/about", who: "visitor" },
  { name: "login", path: "/login", who: "visitor" },
  { name: "login-failed", path: "/login?error=auth_failed", who: "visitor" },
  { name: "register", path: "/register", who: "visitor" },
  { name: "verify", path: "/verify", who: "visitor" },
  { name: "verify-email", path: "/verify-email?token=none", who: "visitor" },
  { name: "setup", path: "/setup?token=none", who: "visitor" },
  { name: "not-found", path: "/no/such/page", who: "visitor" },
  { name: "home-signed-in", path: "/", who: "user" },
  { name: "dashboard", path: "/dashboard", who: "user" },
  { name: "admin", path: "/admin", who: "admin" },
  { name: "admin-users", path: "/admin/users", who: "admin" },
] as const;
