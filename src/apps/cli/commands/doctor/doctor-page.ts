import type { Diagnostic } from '../../../../core/rules/check.ts'
import { undoCommand } from '../../../../doctor/backup/commands.ts'
import type { ConversationResult, DoctorResult } from '../../../../doctor/doctor.ts'
import { whyOf } from '../../../../doctor/store-rules.ts'
import { callCountsText, plural } from '../../counts.ts'
import type { Totals } from './doctor-text.ts'

export const pageMark = '<!-- antiphon doctor report -->'

/**
 * The page is written while the stores are examined, so the totals are written last and shown first. It contains no script, loads
 * nothing, and shows content as text only.
 */
export const pageBegin = (): string => `<!doctype html>
${pageMark}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Antiphon: conversations on disk</title>
<style>${style}</style>
</head>
<body>
<main>
`

export function pageResult(one: DoctorResult): string {
  if (one.kind === 'unrecognised') return ''
  if (one.kind === 'unreadable')
    return `<section class="trouble"><h2><b>unreadable</b> ${safe(one.path)}</h2><p>${safe(one.error.message)}</p></section>\n`
  return conversation(one)
}

function conversation({ path, system, id, title, examination, backup, failure }: ConversationResult): string {
  const { state, counts, since, repairs, remaining, dropped, notes } = examination
  const word = backup === undefined ? state : 'healed'
  const name = title === undefined ? id : `${title} (${id})`
  const parts = [
    `<p>${safe(system.title)} · ${safe(path)}</p>`,
    `<p>${safe(callCountsText(counts))}${since ? ` · ${backup === undefined ? '' : 'was '}broken since turn ${since.turn}, ${safe(since.at)}` : ''}</p>`,
    ...notes.map(note => `<p class="note">${safe(note)}</p>`),
    list(
      backup === undefined ? 'What is wrong, and what would be done' : 'What was wrong, and what was changed',
      repairs,
    ),
    list('What cannot be repaired', remaining),
    dropped.length === 0
      ? ''
      : `<h3>What ${backup === undefined ? 'would be' : 'was'} dropped</h3>${dropped
          .map(
            ({ at, rule, content }) =>
              `<details><summary>${safe(at)} <code>${safe(rule)}</code></summary><pre>${safe(content)}</pre></details>`,
          )
          .join('')}`,
    failure ? `<p class="note">Not repaired: ${safe(failure.message)}</p>` : '',
    backup
      ? `<p>Backup: <code>${safe(backup)}</code></p>\n<p>Undo: <code>${safe(undoCommand(backup, path))}</code></p>`
      : '',
  ]
  const open = state === 'healthy' ? '' : ' open'
  return `<details class="${word}"${open}><summary><b>${word}</b> ${safe(name)}</summary>\n${parts.filter(Boolean).join('\n')}\n</details>\n`
}

function list(title: string, found: readonly Diagnostic[]): string {
  if (found.length === 0) return ''
  const items = found.slice(0, shownMax).map(
    ({
      rule,
      severity,
      at,
      message,
      help,
      refusal,
    }) => `<li class="${severity}"><code>${safe(rule)}</code> ${safe(message)}
<br><small>${safe(at)}</small>
<br>why: ${safe(whyOf(rule))}
<br>fix: ${safe(help)}${refusal === undefined ? '' : `\n<br>the provider would reject it with: <q>${safe(refusal)}</q>`}</li>`,
  )
  const more = found.length - items.length
  return `<h3>${title}</h3><ol>${items.join('\n')}</ol>${more > 0 ? `<p>and ${more} more</p>` : ''}`
}

const shownMax = 1_000

export function pageEnd({ conversations, states, healed, unreadable, counts }: Totals): string {
  const cells = Object.entries({ ...states, healed, unreadable: unreadable })
    .map(([word, count]) => `<div class="${word}"><b>${count}</b> ${word}</div>`)
    .join('')
  return `<header><h1>Conversations on disk</h1><p>${plural(conversations, 'conversation')}; ${safe(callCountsText(counts))}</p><nav>${cells}</nav></header>
</main>
</body>
</html>
`
}

const safe = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent) }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { display: flex; flex-direction: column; gap: .6rem; max-width: 60rem; margin: 0 auto; padding: 1rem }
header { order: -1 }
nav { display: flex; flex-wrap: wrap; gap: 1.5rem }
main > details, main > section { border: 1px solid var(--line); border-left-width: 6px; border-radius: 4px; padding: .5rem .9rem }
summary { cursor: pointer; overflow-wrap: anywhere }
h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere }
h3 { font-size: 1rem; margin: .8rem 0 .2rem }
p { margin: .2rem 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); padding: .5rem }
li { margin: .4rem 0; overflow-wrap: anywhere }
.healthy { border-left-color: #2a8a4a !important }
.healed { border-left-color: #2a6fb0 !important }
.pending, .busy { border-left-color: #b98900 !important }
.broken, .trouble { border-left-color: #c03030 !important }
nav div { border-left: 6px solid var(--line); padding-left: .5rem }
`
