import { type Gutter, noteX, staff } from './gutter.ts'

/** The lines that the notes stand on, one a role. */
export function Staff({ gutter }: { readonly gutter: Gutter }) {
  return (
    <div class="staff" aria-hidden="true">
      {staff.map(role => (
        <i key={role} data-role={role} style={{ left: `${noteX(gutter, role)}px` }} />
      ))}
    </div>
  )
}
