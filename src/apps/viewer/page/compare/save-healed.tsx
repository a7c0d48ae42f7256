import { useState } from 'preact/hooks'
import type { DocumentService } from '../../document-service.ts'

interface Props {
  readonly service: DocumentService
  readonly name: string
}

/** Saves the repaired history as a file. */
export function SaveHealed({ service, name }: Props) {
  const [status, setStatus] = useState('')
  const save = async (): Promise<void> => {
    const text = await service.healed()
    if (text === undefined) return setStatus('A store cannot be saved from here: run antiphon doctor --fix on it.')
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `${fileName(name)}.healed.json`
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
    setStatus(`Saved as ${link.download}.`)
  }
  return (
    <>
      <button type="button" class="button" onClick={save}>
        Save repaired JSON
      </button>
      <span class="sr-only" role="status">
        {status}
      </span>
    </>
  )
}

const fileName = (name: string): string =>
  name
    .replace(/^.*[\\/]/, '')
    .replace(/\.jsonl?$/, '')
    .replace(/[^\w.-]+/g, '-')
    .slice(0, 80) || 'history'
