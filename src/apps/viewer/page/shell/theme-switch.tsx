import { useEffect, useState } from 'preact/hooks'

const themes = ['auto', 'light', 'dark'] as const
type Theme = (typeof themes)[number]

const place = 'antiphon-theme'

/** Light, dark, or the setting of the system. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(storedTheme)
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    storeTheme(theme)
  }, [theme])
  return (
    <label class="pick theme">
      <select
        aria-label="Colours"
        value={theme}
        onChange={({ currentTarget }) => setTheme(currentTarget.value as Theme)}
      >
        <option value="auto">Auto</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  )
}

// A page that is opened from disk may have no storage.
function storedTheme(): Theme {
  try {
    return themes.find(theme => theme === localStorage.getItem(place)) ?? 'auto'
  } catch {
    return 'auto'
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(place, theme)
  } catch {}
}
