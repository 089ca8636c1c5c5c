/** `#app/settings`: what the settings of own features are declared with, for server and pages. */
export { choice, color, duration, integer, list, text, toggle } from "#contract/define-settings.ts";
export { featureSecret as secret, featureSettings } from "#contract/feature-settings.ts";
