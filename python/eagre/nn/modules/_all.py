"""The classes of all files: for type checkers, which do not see that names come when asked for."""

# ruff: noqa: F403
from eagre.nn.modules.activation import *
from eagre.nn.modules.adaptive import *
from eagre.nn.modules.batchnorm import *
from eagre.nn.modules.channelshuffle import *
from eagre.nn.modules.container import *
from eagre.nn.modules.conv import *
from eagre.nn.modules.distance import *
from eagre.nn.modules.dropout import *
from eagre.nn.modules.flatten import *
from eagre.nn.modules.fold import *
from eagre.nn.modules.instancenorm import *
from eagre.nn.modules.linear import *
from eagre.nn.modules.linear_cross_entropy_options import *
from eagre.nn.modules.loss import *
from eagre.nn.modules.module import *
from eagre.nn.modules.normalization import *
from eagre.nn.modules.padding import *
from eagre.nn.modules.pixelshuffle import *
from eagre.nn.modules.pooling import *
from eagre.nn.modules.rnn import *
from eagre.nn.modules.sparse import *
from eagre.nn.modules.transformer import *
from eagre.nn.modules.upsampling import *
