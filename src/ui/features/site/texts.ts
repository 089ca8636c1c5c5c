/** Words of the landing page, in the order in which they appear. */
export const homeTexts = {
  kicker: "Full-stack starter application",
  title: "The part every web app needs, finished.",
  lead: "Registration, sign-in, verified addresses and an admin area that tells you whether everything is all right. Atrium brings its own database and mail outbox, so one command is the whole set-up.",
  register: "Create an account",
  dashboard: "Go to your dashboard",
  about: "How it is made",
  command: "npx -y bun@1.4.5 start",
  commandNote: "Needs Node alone. Nothing to set up, nothing to sign up for.",
  featuresTitle: "What you no longer have to write",
  featuresLead:
    "The dull, dangerous parts, done once and tested against the ways in which they usually fail.",
  securityTitle: "Secure authentication",
  securityText:
    "People sign in with a password, Google or GitHub. Passwords are hashed with argon2id, sessions are opaque tokens of which only a hash is stored, and changes are accepted from your own origin alone. Whether an address has an account is never given away.",
  stackTitle: "A modern stack",
  stackText:
    "One language from the table to the button, typed all the way, with few dependencies to look after.",
  speedTitle: "Performance",
  speedText:
    "Public pages are rendered ahead of time with their styles inside: the first round trip paints the page. The server answers from prepared statements and precompressed files. The budgets, compressed:",
  cloudTitle: "Cloud readiness",
  cloudText:
    "Starts with nothing and grows by environment variables. Health and readiness checks, structured logs and a graceful end are there from the first deploy.",
  assistantsKicker: "AI assistants",
  assistantsTitle: "Made to be operated by people and by programs",
  assistantsText:
    "An assistant works best with clear contracts. Every call has a schema, every failure a stable code and a sentence that says what to do, and the command line prints exactly what the API answers.",
  assistantsPoints: [
    "The command line uses the same API as the browser and prints JSON on request",
    "Errors carry a code for the program, a message for the person and a request id for the log",
    "Each permission is declared on its route and checked in one place",
  ],
  assistantsFailure: "When something is refused, it says so in the same way everywhere",
  closingTitle: "Try it with your own address",
  closingText:
    "It takes a name, an address and a password. You will see every screen that your users would see.",
  signIn: "Sign in",
  contactTitle: "Talk to us",
  contactText:
    "A question before you start, a plan that needs an answer, or something that does not work: write, and a person replies within 24-48 hours.",
  contact: "Contact us",
} as const;

/** Words of the About page. */
export const aboutTexts = {
  title: "About Atrium",
  lead: "Atrium is a starter for web applications that have users. It gives you the house, so that you can furnish it.",
  parts: [
    {
      title: "What it is",
      text: "A complete, working application: visitor pages, registration, sign-in, e-mail verification, a dashboard for users and an area for administrators. You clone it, run one command and have all of it in front of you, with a database and a mail outbox that need no set-up.",
    },
    {
      title: "Whom it is for",
      text: "Small teams and single developers who have built the same sign-up form too often, and operators who want something that they can run on one machine and still understand a year later.",
    },
    {
      title: "How it is made",
      text: "Each thing that the product does is one plain function. The web and the command line are doors to the same functions, so a rule holds wherever you come in. Behind them stands PostgreSQL: a server of yours, or the embedded one.",
    },
    {
      title: "What it promises",
      text: "It starts from an empty folder. It loses nothing that it acknowledged. It says what went wrong and how to mend it. It loads nothing from other people's servers except the picture of a signed-in user's avatar.",
    },
  ],
  builtWith: "Built with",
} as const;

/** The parts that the product stands on; each with what it does here. */
export const stack = [
  { name: "Bun", role: "runtime, bundler, tests" },
  { name: "Elysia", role: "HTTP with checked schemas" },
  { name: "PostgreSQL", role: "a server or embedded" },
  { name: "Drizzle", role: "typed queries, migrations" },
  { name: "React", role: "pages rendered ahead of time" },
  { name: "Tailwind CSS", role: "one set of design tokens" },
] as const;

/** Words of the page at unknown addresses. */
export const notFoundTexts = {
  title: "Page Not Found",
  lead: "Nothing lives at this address. It may have moved, or the link may have a typing error.",
  home: "Back to Home",
  elsewhere: "Perhaps you were looking for",
  visitorPlaces: [
    { href: "/about", label: "About", note: "What Atrium is and for whom" },
    { href: "/login", label: "Sign In", note: "Go to your account" },
    { href: "/register", label: "Create Account", note: "Register with your address" },
    { href: "/verify", label: "Resend Verification", note: "Have the verification mail sent again" },
    { href: "/contact", label: "Contact", note: "Write to us" },
  ],
  memberPlaces: [
    { href: "/dashboard", label: "Dashboard", note: "Your account at a glance" },
    { href: "/about", label: "About", note: "What Atrium is and for whom" },
    { href: "/contact", label: "Contact", note: "Write to us" },
  ],
} as const;
