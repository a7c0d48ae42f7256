/**
 * A text that may quote an address, such as one that was given in place of a file: without the passwords of URLs and the values of parameters
 * that are named like a secret. Of a password with unescaped characters everything up to the last @ is left out. The example of hints stays:
 * it says how to write a password.
 */
export const withoutPasswords = (text: string): string =>
  text.replace(urlLike, withoutPassword).replace(namedSecret, '$1***')

const urlLike = /\b([a-z][a-z\d+.-]{1,20}:\/\/)(\S+)/gi

const namedSecret = /((?:password|passwd|secret|token|key)=)[^\s&]+/gi

function withoutPassword(url: string, scheme: string, rest: string): string {
  const [colon, at] = [rest.indexOf(':'), rest.lastIndexOf('@')]
  if (colon < 0 || at < colon || rest.slice(0, at) === example) return url
  return `${scheme}${rest.slice(0, colon)}${rest.slice(at)}`
}

const example = 'user:password'
