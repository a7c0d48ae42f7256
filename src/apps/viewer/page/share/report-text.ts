import type { OpenedDocument } from '../../document-service.ts'

/** All diagnostics and their repairs as text, as the command line writes them. */
export function reportText({ diagnostics, dialect, format, steps }: OpenedDocument): string {
  const head = `${format ?? 'history'}, checked for ${dialect ?? 'any provider'}: ${counted(diagnostics.length, 'diagnostic')}, ${counted(steps.length, 'edit')}`
  const blocks = diagnostics.map(({ rule, severity, at, message, refusal, help, class: kind }) =>
    [
      `${severity}[${rule}]: ${message}`,
      `  --> ${at}`,
      ...(refusal === undefined ? [] : [`  = rejected as: ${refusal}`]),
      `  = ${kind === undefined ? 'remains' : `fix (${kind})`}: ${help}`,
    ].join('\n'),
  )
  return `${[head, ...blocks].join('\n\n')}\n`
}

const counted = (count: number, word: string): string => `${count} ${count === 1 ? word : `${word}s`}`
