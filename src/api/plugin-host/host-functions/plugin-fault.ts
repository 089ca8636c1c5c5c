import type { HostFault, HostFaultName } from "../runtime.ts";

/** A host call that came to nothing; name and message reach the plugin's author. */
export class PluginFault extends Error implements HostFault {
  override readonly name: HostFaultName;

  constructor(name: HostFaultName, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = name;
  }
}

/** An argument that cannot be used. */
export const invalid = (message: string): PluginFault => new PluginFault("INVALID", message);
