import type { LegalDocument } from "./legal-document.ts";

/** Terms of service, for a site that runs the software as it is delivered. */
export const terms: LegalDocument = {
  path: "/terms",
  lead: "The rules for using this site and having an account on it, in plain language.",
  sections: [
    {
      id: "scope",
      title: "What these terms cover",
      blocks: [
        "This site has public pages, accounts and an admin area. These terms are an agreement between you and the operator of this installation, called \u201cwe\u201d below. The authors of the software are not a party to it.",
        "You can read the public pages without an account. By creating an account, you agree to these terms. If you don\u2019t agree, please don\u2019t create one.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      blocks: [
        "An account needs a name, an email address that you can receive email at, and a password or a sign-in with Google, GitHub or another provider. Unless that provider has verified the email address, you must confirm it through an emailed link, such as that of an invitation, before you can sign in.",
        {
          list: [
            "Use an email address that is yours and will stay yours: you need it to get back in if you lose your password.",
            "Keep your password to yourself. You are responsible for what happens under your account until you tell us that someone else has access to it.",
            "If you think someone has gained access, change your password and end all other sessions on your account page. Setting a new password through \u201cForgot password\u201d ends all sessions immediately.",
          ],
        },
      ],
    },
    {
      id: "social-sign-in",
      title: "Signing in through a provider",
      blocks: [
        "Where we offer it, you can sign in with your account at Google, GitHub or another provider. Their terms apply to that account. You can link and unlink it on your account page, as long as one sign-in method remains.",
      ],
    },
    {
      id: "fair-use",
      title: "Prohibited uses",
      blocks: [
        "You may not:",
        {
          list: [
            "try to access accounts or areas that aren\u2019t yours, or find out who has an account here;",
            "send more requests than a person or a well-behaved program would, or circumvent rate limits;",
            "use the contact form for advertising, or to send anything unlawful or harmful;",
            "impersonate someone else.",
          ],
        },
        "You are welcome to look for vulnerabilities in your own installation. On this one, ask first.",
      ],
    },
    {
      id: "your-content",
      title: "What you send us",
      blocks: [
        "What you send us remains yours. You allow us to store, read and reply to it. We don\u2019t publish it.",
      ],
    },
    {
      id: "availability",
      title: "Availability",
      blocks: [
        "We try to keep the site running and your data safe, but we don\u2019t guarantee that it is always available or free of errors, or that it stays the same. Parts of it may change or be discontinued. Where we can, we tell you before something you rely on goes away.",
      ],
    },
    {
      id: "ending",
      title: "Closing an account",
      blocks: [
        "You can delete your account at any time on your account page. The last administrator of an installation must first make another user an administrator. The privacy policy explains what is deleted with your account.",
        "We may disable an account that violates these terms or endangers others. Its sessions end immediately. Contact us if you think this was a mistake.",
      ],
    },
    {
      id: "liability",
      title: "Liability",
      blocks: [
        "The site is provided \u201cas is\u201d. To the extent permitted by law, we are not liable for losses that result from using it or from being unable to use it. Nothing here limits liability that cannot be limited by law, such as liability for intent or personal injury.",
      ],
    },
    {
      id: "licence",
      title: "The software",
      blocks: [
        "The software of this site is free under the MIT License: you can run, change and distribute your own copies. The license covers the software. It does not give anyone rights to this installation, its name or its data.",
      ],
    },
    {
      id: "changes",
      title: "Changes to these terms",
      blocks: [
        "We may change these terms. The text on this page is the current version. If a change puts you at a disadvantage, we tell users with an account before it takes effect. If you don\u2019t agree, you can delete your account.",
      ],
    },
    {
      id: "questions",
      title: "Governing law and questions",
      blocks: [
        "The law of the place where the operator of this site is established applies. Your rights as a consumer under the law of your own country are not affected. If you have questions about these terms, use the contact page.",
      ],
    },
  ],
};
