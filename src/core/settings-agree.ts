import type { Facts } from './dialect.ts'
import type { Settings } from './settings.ts'

/** Whether thinking in the open step is rejected with this setting. */
export const rejectsThinking = (thinking: Settings['thinking'] | undefined, { thinkingSetting }: Facts): boolean =>
  thinking === 'off' || (thinking === 'unset' && thinkingSetting === 'strict')

/** Whether the settings agree with every history that is healthy by itself. */
export const fitEveryHistory = ({ tools, thinking, system }: Settings, facts: Facts): boolean =>
  !(tools === 'none' && facts.undeclaredTools === 'refuse') &&
  (facts.thinkingSetting === 'free' || !(thinking === 'on' || rejectsThinking(thinking, facts))) &&
  system.length === 0
