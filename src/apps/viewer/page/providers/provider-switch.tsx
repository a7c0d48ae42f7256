import type { DialectId } from '../../../../core/dialects/index.ts'

interface Props {
  readonly dialects: readonly DialectId[]
  readonly dialect: DialectId | undefined
  readonly onDialect: (dialect: DialectId) => void
}

/** Chooses the provider that the conversation is checked for. */
export function ProviderSwitch({ dialects, dialect, onDialect }: Props) {
  if (dialects.length === 0) return null
  return (
    <label class="pick">
      <span aria-hidden="true">Provider</span>
      <select
        aria-label="Provider"
        value={dialect}
        onChange={({ currentTarget }) => onDialect(currentTarget.value as DialectId)}
      >
        {dialects.map(dialect => (
          <option key={dialect} value={dialect}>
            {dialect}
          </option>
        ))}
      </select>
    </label>
  )
}
