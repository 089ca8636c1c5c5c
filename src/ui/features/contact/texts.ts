/** Words of the contact page that the server does not share; its sentences are in `contract/contact-texts.ts`. */
export const contactScreenTexts = {
  title: "Contact",
  lead: "A question, an idea, something that does not work? Write to us, and a person answers.",
  replies: "We reply within 24-48 hours, to the email address that you give here.",
  topicsTitle: "Which subject",
  topics: [
    { name: "General", text: "Anything about the site and the people behind it" },
    { name: "Sales", text: "Prices, licences and working together" },
    { name: "Support", text: "Something does not work, or you cannot get into your account" },
  ],
  privacyTitle: "What becomes of it",
  privacy: "Your message goes to the administrators of this site and is kept until one of them deletes it.",
  unsent: "Your message is not sent yet and will be lost.",
  form: "Contact form",
  choose: "Choose a subject",
  send: "Send Message",
} as const;
