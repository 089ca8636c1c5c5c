import { FeatureSettingsPage } from "#app/ui";
import { client } from "./client.ts";
import { noteSettings } from "./settings.ts";

/** The settings of notes, for admins. */
export const NoteSettingsPage = () => (
  <FeatureSettingsPage title="Settings of notes" section={noteSettings} client={client} />
);
