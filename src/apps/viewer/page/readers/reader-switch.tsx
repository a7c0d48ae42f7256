import type { DialectId } from '../../../../core/dialects/index.ts'

interface Props {
  readonly readers: readonly DialectId[]
  readonly reader: DialectId | undefined
  readonly onReader: (reader: DialectId) => void
}

/** Who is to read the conversation: the rules change with it. */
export function ReaderSwitch({ readers, reader, onReader }: Props) {
  if (readers.length === 0) return null
  return (
    <label class="pick">
      <span aria-hidden="true">Reader</span>
      <select
        aria-label="Reader"
        value={reader}
        onChange={({ currentTarget }) => onReader(currentTarget.value as DialectId)}
      >
        {readers.map(reader => (
          <option key={reader} value={reader}>
            {reader}
          </option>
        ))}
      </select>
    </label>
  )
}
