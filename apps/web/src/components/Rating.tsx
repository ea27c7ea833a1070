import starFilled from '../icons/star-filled.svg?raw';
import { Icon } from './Icon.tsx';
import classes from './Rating.module.css';

export function Rating({ rating, reviewCount }: { rating: number; reviewCount: number }) {
  return (
    <div
      className={classes.rating}
      data-rated={reviewCount > 0 || undefined}
      data-tooltip={reviewCount > 0 ? 'From an import by the operator' : 'Nobody has reviewed it yet'}
    >
      <Icon svg={starFilled} size={16} className={classes.star} />
      <b>{rating.toFixed(1)}</b>
      {/* In the head of a page from right to left, too. */}
      <span className={classes.reviews} dir="ltr">
        ({reviewCount} reviews)
      </span>
    </div>
  );
}
