import { Link } from 'react-router-dom';
import { useSiteConfig } from '../../lib/site.ts';
import classes from './Brand.module.css';

export function Brand() {
  const { logo, name } = useSiteConfig();
  return (
    <Link to="/" className={classes.brand}>
      <img src={logo ?? '/favicon.svg'} alt="" width={28} height={28} />
      <span className={classes.name}>{name}</span>
    </Link>
  );
}
