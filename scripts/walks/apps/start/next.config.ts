export default { serverExternalPackages: ['antiphon'] }
