/** Something that a provider said and that cannot be used; the message is for the log and repeats nothing secret. */
export class ProviderFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProviderFault";
  }
}
