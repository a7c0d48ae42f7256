import type { MoveTarget } from './target.ts'
import { claudeCodeTarget } from './targets/claude-code.ts'
import { codexTarget } from './targets/codex.ts'
import { geminiCliTarget } from './targets/gemini-cli.ts'
import { opencodeTarget } from './targets/opencode.ts'
import { piTarget } from './targets/pi.ts'

/** The programs that sessions can be moved to. */
export const moveTargets: readonly MoveTarget[] = [
  codexTarget,
  claudeCodeTarget,
  opencodeTarget,
  piTarget,
  geminiCliTarget,
]
