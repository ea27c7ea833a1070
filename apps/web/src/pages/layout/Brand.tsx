import { siteConfig } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import classes from './Brand.module.css';

/** The logo and the name, linked to the home page. */
export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <img src={siteConfig.logo ?? '/favicon.svg'} alt="" width={28} height={28} />
      <span className={classes.name}>{siteConfig.name}</span>
    </Link>
  );
}
