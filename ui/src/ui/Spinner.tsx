// Turns while something is asked; stands still for those who want no motion.
import styles from './States.module.css'

export const Spinner = () => <span className={styles.spinner} aria-hidden="true" />
