-- The relay reports the age of the oldest open transaction, which only this privilege shows.
GRANT PROCESS ON *.* TO 'counterfoil'@'%';
