import theme from 'vitepress/theme-without-fonts'
import './theme.css'

export default theme
