/** Words of the landing page, in the order in which they appear. */
export const homeTexts = {
  kicker: "Full-stack starter application",
  title: "The part every web app needs, done.",
  lead: "Sign-up, sign-in, verified email addresses and an admin area that tells you whether everything is all right. A database and an email outbox are included, so setup is a single command.",
  register: "Create an account",
  dashboard: "Go to your dashboard",
  about: "How it's built",
  command: "npx -y bun@1.4.5 start",
  commandNote: "All you need is Node. Nothing to configure, nothing to sign up for.",
  featuresTitle: "What you no longer have to write",
  featuresLead: "The tedious, risky parts, done once and tested against the ways they usually fail.",
  securityTitle: "Secure authentication",
  securityText:
    "Users sign in with a passkey, a password, Google, GitHub or another provider. Passwords are hashed with argon2id, sessions are opaque tokens stored only as hashes, and changes are accepted only from your own origin. No response reveals whether an email address has an account.",
  stackTitle: "A modern stack",
  stackText:
    "One language from the database to the button, typed end to end, with few dependencies to maintain.",
  speedTitle: "Performance",
  speedText:
    "Public pages are prerendered with their styles inline, so the first round trip paints the page. The server uses prepared statements and precompressed files. The budgets, compressed:",
  cloudTitle: "Cloud readiness",
  cloudText:
    "Start without any configuration and grow with environment variables. Health and readiness checks, structured logs and graceful shutdown are there from the first deploy.",
  assistantsKicker: "AI assistants",
  assistantsTitle: "Built for humans and programs alike",
  assistantsText:
    "An assistant works best with clear contracts. Every request has a schema, every error has a stable code and a message that says what to do, and the command line prints exactly what the API returns.",
  assistantsPoints: [
    "The command line uses the same API as the browser and prints JSON on request",
    "Errors carry a code for programs, a message for users and a request ID for the log",
    "Each permission is declared on its route and checked in one place",
  ],
  assistantsFailure: "Errors look the same everywhere",
  closingTitle: "Try it with your own email address",
  closingText:
    "All it takes is a name, an email address and a password. You'll see every screen your users would see.",
  signIn: "Sign in",
  contactTitle: "Talk to us",
  contactText:
    "A question before you start, a project to discuss, or something that isn't working: write to us and a person replies within 24-48 hours.",
  contact: "Contact us",
} as const;

/** Words of a home page of the site's own, beside those that admins set. */
export const ownHomeTexts = {
  register: "Create an account",
  signIn: "Sign in",
  dashboard: "Go to your dashboard",
} as const;

/** Words of the About page. */
export const aboutTexts = {
  title: (site: string) => `About ${site}`,
  lead: "This site runs on a starter for web applications that have users: the foundation, so you can build what's yours.",
  parts: [
    {
      title: "What it is",
      text: "A complete, working application: visitor pages, registration, sign-in, email verification, a dashboard for users and an admin area. Clone it, run one command and all of it is running, with a database and an email outbox that need no setup.",
    },
    {
      title: "Who it's for",
      text: "Small teams and solo developers who have built the same sign-up form too many times, and operators who want something they can run on one machine and still understand a year from now.",
    },
    {
      title: "How it's built",
      text: "Everything the product does is one plain function. The web interface and the command line use the same functions, so the same rules apply in both. Data is stored in PostgreSQL: your own server, or the embedded one.",
    },
    {
      title: "What it promises",
      text: "It starts from an empty folder. It never loses what it has acknowledged. It says what went wrong and how to fix it. It loads nothing from third-party servers except the avatar of a signed-in user.",
    },
  ],
  builtWith: "Built with",
} as const;

/** The parts that the product stands on; each with what it does here. */
export const stack = [
  { name: "Bun", role: "runtime, bundler, tests" },
  { name: "Elysia", role: "HTTP with validated schemas" },
  { name: "PostgreSQL", role: "a server or embedded" },
  { name: "Drizzle", role: "typed queries, migrations" },
  { name: "React", role: "prerendered pages" },
  { name: "Tailwind CSS", role: "one set of design tokens" },
] as const;

/** Words of the page at unknown addresses. */
export const notFoundTexts = {
  title: "Page Not Found",
  lead: "There is nothing at this URL. The page may have moved, or the link may contain a typo.",
  home: "Back to Home",
  elsewhere: "You may be looking for",
  visitorPlaces: [
    { href: "/about", label: "About", note: "What this site is and who it's for" },
    { href: "/login", label: "Sign In", note: "Go to your account" },
    { href: "/register", label: "Create Account", note: "Sign up with your email address" },
    { href: "/verify", label: "Resend Verification", note: "Get a new verification email" },
    { href: "/contact", label: "Contact", note: "Write to us" },
  ],
  memberPlaces: [
    { href: "/dashboard", label: "Dashboard", note: "Your account at a glance" },
    { href: "/about", label: "About", note: "What this site is and who it's for" },
    { href: "/contact", label: "Contact", note: "Write to us" },
  ],
} as const;
