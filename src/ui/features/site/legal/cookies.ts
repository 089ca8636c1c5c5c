import type { LegalDocument } from "./legal-document.ts";

/** Cookie policy: everything that the product leaves in a browser. */
export const cookies: LegalDocument = {
  path: "/cookies",
  lead: "Everything that this site leaves in your browser. The list is complete, and short.",
  sections: [
    {
      id: "what",
      title: "What cookies are",
      blocks: [
        "A cookie is a small text that a site asks your browser to keep and to send back. Local storage is kept in the same way but never sent: only the pages of this site, in this browser, can read it.",
      ],
    },
    {
      id: "list",
      title: "Cookies of this site",
      blocks: [
        "Visitors get none. These are set when you sign up or sign in:",
        {
          entries: [
            {
              name: "sid",
              purpose: "Your session: tells the server that it is you, from one page to the next.",
              kept: "until you log out, or 30 days after its last use",
            },
            {
              name: "device",
              purpose:
                "Marks a browser in which you signed in before. It lets you in while somebody else is guessing your password, and a sign-in without it is announced to you by mail.",
              kept: "1 year",
            },
            {
              name: "pending",
              purpose:
                "Set when you sign up: makes sure that the password you typed counts only when you open the emailed link in this browser.",
              kept: "24 hours, or until you have confirmed your email address",
            },
            {
              name: "oauth",
              purpose:
                "Set when you go to Google or GitHub to sign in: makes sure that the answer comes back to the browser that asked.",
              kept: "10 minutes",
            },
          ],
        },
        "Each holds nothing but a random number. Scripts cannot read them, other sites cannot use them to act in your name, and over https their names begin with __Host-, which ties them to this very address.",
      ],
    },
    {
      id: "storage",
      title: "Settings in local storage",
      blocks: [
        "A page that an emailed link opens also keeps the link\u2019s token for its tab, until it is used or the tab is closed, so that you can reload the page.",
        {
          entries: [
            {
              name: "theme-mode",
              purpose: "Whether you chose light or dark, or follow your device. Written when you choose.",
              kept: "until you clear it",
            },
            {
              name: "sidebar",
              purpose: "Whether the menu of the admin area is folded. Written when you fold it.",
              kept: "until you clear it",
            },
          ],
        },
      ],
    },
    {
      id: "consent",
      title: "Why you are not asked",
      blocks: [
        "All of these do something that you asked for: signing in, staying signed in, keeping a choice. None follows you, here or elsewhere. That is why there is no banner.",
      ],
    },
    {
      id: "others",
      title: "Other people\u2019s cookies",
      blocks: [
        "There are none on our pages. Signing in with Google or GitHub takes you to their pages, where their rules apply. The dashboard loads your picture from gravatar.com, without any cookie of ours.",
      ],
    },
    {
      id: "control",
      title: "How to remove them",
      blocks: [
        "Logging out removes the session. Everything else goes when you clear this site\u2019s data in your browser\u2019s settings, where you can also refuse cookies altogether: the public pages then work as before, but you cannot sign in.",
      ],
    },
    {
      id: "questions",
      title: "Questions",
      blocks: [
        "What happens with the data behind these cookies stands in the privacy policy. Anything else you can ask through the contact page.",
      ],
    },
  ],
};
