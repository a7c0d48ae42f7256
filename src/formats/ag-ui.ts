import { agUi as codec } from '../codecs/ag-ui/index.ts'
import { lenient as home } from '../core/dialects/lenient.ts'
import { healingOf } from './healing-of.ts'

export type { FormatOptions } from './healing-of.ts'

/** Healing for the shape of the AG-UI protocol, and no other. */
export const { heal, check, repair } = healingOf(codec, home)
